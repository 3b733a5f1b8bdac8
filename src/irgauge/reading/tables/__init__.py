"""Tables of scores, in whatever form people have them: each form in its own file, all of them read into a LongTable."""
