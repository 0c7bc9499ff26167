// The search index's fields and options. The browser must search with the same options, so assets/docs/search.js
// contains a copy of them.

export const searchOptions = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'text'],
}
