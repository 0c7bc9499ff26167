-- Notices and emails about differences are marked as sent only after they were sent (src/mail/sending-claim.ts). Until
-- then, the sending process claims them, so that no other process sends them at the same time. The claim of a process that
-- has ended expires, and another process sends them.
alter table notices add column mail_claimed_until timestamptz, add column post_claimed_until timestamptz;
alter table ledger_differences add column mail_claimed_until timestamptz;
alter table reconciliation_differences add column mail_claimed_until timestamptz;
