"""The studio that renders scenes with their truth, and a few samples. Never uses the product's own eyes."""
