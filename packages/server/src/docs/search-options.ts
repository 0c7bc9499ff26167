// The fields and options of the search index. assets/docs/search.js contains a copy of them, because the browser must
// search with the same options.

export const searchOptions = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'text'],
}
