"""The built-in embedding model, multilingual-e5-small: weights, tokenizer, graph and engines."""
