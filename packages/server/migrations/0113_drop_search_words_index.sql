-- Replaced by payment_search_by_period (0110_search_words_of_period.sql).
drop index concurrently if exists payment_search_words;
