"""What the outcomes of questions amount to: places, rankings, answers, means with their intervals."""
