-- When each notice was last posted to the Owner's webhook (docs/decisions/0075-notices.md).
alter table notices add column posted_at timestamptz;
