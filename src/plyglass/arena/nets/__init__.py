"""Learning nets: play games, fit a net, accept it if it wins matches, and repeat."""
