"""Still lifes: tables on which nothing happens and everything can stand anywhere, for the detector to learn from.

`table.draw_table` makes a table, `compose.compose` lays things on it for one picture, `painter.Painter` draws it,
`labels.labels_of` says where everything is, `finish.finished` does to it what cameras and recorders do.
"""
