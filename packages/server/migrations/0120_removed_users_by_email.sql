-- Finds the removed users of an email address, because the reset tokens that they received count toward the limit of
-- password reset emails to this address (auth/passwords/password-reset.sql.ts).
-- allow concurrently-by-itself: each of these statements can be repeated
drop index concurrently if exists users_removed_by_email;
create index concurrently users_removed_by_email on users (lower(email)) where status = 'removed';
