"""The commands, one module each: `arguments(parser)` and `run(options)`, which returns the exit code.

Only the command that is asked for is imported, so that `pitwatch --help` does not load OpenCV and ONNX Runtime.
"""
