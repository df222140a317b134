"""Pages of PDFs and images: where words are on them, and pictures of them."""
