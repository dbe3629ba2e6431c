"""The training recipes. They run in the training environment (torch, ultralytics); see models/README.md."""
