// Replaced by the first files of the server.
