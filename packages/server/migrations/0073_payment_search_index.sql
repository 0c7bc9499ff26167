-- After 0072, because an index is built faster than it grows.
drop index concurrently if exists payment_search_words;
create index concurrently payment_search_words on payment_search using gin (words)
  -- Searches read the list of pending entries as a whole, so it is kept short.
  with (gin_pending_list_limit = 1024);
