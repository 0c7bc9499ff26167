// How pages are indexed. The browser must search with the same fields; assets/docs/search.js has a copy of them.

export const searchOptions = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'text'],
}
