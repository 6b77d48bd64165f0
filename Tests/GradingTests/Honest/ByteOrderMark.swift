// A byte order mark at the beginning.
/*ANSWER*/
