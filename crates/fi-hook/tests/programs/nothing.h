/* How many aliases the provider that does nothing has made. */
int nothing_aliases(void);
