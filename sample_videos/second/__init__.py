"""A second renderer, made without the studio's code, whose pictures only measure and never teach."""
