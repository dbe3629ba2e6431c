"""What several chapters share: how a shoe is opened, how cards are followed, how a burn is told from play."""
