-- See 0110_search_words_of_period.sql.
drop index concurrently if exists payment_search_by_period;
create index concurrently payment_search_by_period on payment_search using gin (words_of_period(payment_id, words))
  -- Searches read the list of pending entries as a whole, so it is kept short.
  with (gin_pending_list_limit = 1024);
