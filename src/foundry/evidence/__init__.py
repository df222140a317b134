"""What is made of evidence before anything is written from it."""
