// The search of the documentation, which opens with the key `/`. Its library and index are loaded only when the search
// is first opened, because most readers do not search.

const dialog = document.querySelector('dialog.search')
const opener = document.querySelector('.find')
const input = dialog.querySelector('input')
const list = dialog.querySelector('[role=listbox]')
const state = dialog.querySelector('[role=status]')
const MOST_RESULTS = 20
const EXCERPT = 150

// These fields must be the same as those with which the index was built (src/docs/search-options.ts).
const fields = ['title', 'page', 'text']
const options = { fields, storeFields: fields }
const query = { boost: { title: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' }

// The search library is next to this script. The service sends the library's current version at this URL.
const library = new URL('minisearch.js', import.meta.url).href

let loading
const load = () => {
  loading ??= Promise.all([
    import(library),
    fetch(dialog.dataset.index).then(response => response.text()),
  ]).then(
    ([{ default: MiniSearch }, text]) => MiniSearch.loadJSON(text, options),
    error => {
      loading = undefined
      throw error
    },
  )
  return loading
}
opener.hidden = false
opener.addEventListener('click', open)
dialog.querySelector('.search-close').addEventListener('click', () => dialog.close())
dialog.addEventListener('click', event => {
  if (event.target === dialog) dialog.close()
})
addEventListener('keydown', event => {
  const isTyping = event.target.closest('input:not([type=radio]), textarea, select, [contenteditable]')
  const isShortcut =
    event.key === '/' || (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey))
  if (!isShortcut || dialog.open || (event.key === '/' && (isTyping || event.ctrlKey || event.metaKey)))
    return
  event.preventDefault()
  open()
})

function open() {
  dialog.showModal()
  input.select()
  search()
}

input.addEventListener('input', search)
async function search() {
  const text = input.value.trim()
  let results = []
  try {
    const index = await load()
    // If the reader changes the search text while the index is loading, this call shows nothing, because the
    // call for the new text shows the results.
    if (text !== input.value.trim()) return
    if (text !== '') results = index.search(text, query)
    state.textContent =
      text === ''
        ? ''
        : results.length === 0
          ? dialog.dataset.none
          : dialog.dataset.count.replace('#', results.length)
  } catch {
    state.textContent = dialog.dataset.failed
  }
  list.replaceChildren(...results.slice(0, MOST_RESULTS).map(optionOf))
  input.setAttribute('aria-expanded', String(results.length > 0))
  choose(results.length > 0 ? 0 : -1)
}

function optionOf({ id, page, title, text, terms }, at) {
  const option = document.createElement('li')
  option.id = `site:result-${at}`
  option.setAttribute('role', 'option')
  option.dataset.href = id
  const where = document.createElement('span')
  where.className = 'where'
  where.textContent = page
  const heading = document.createElement('b')
  heading.append(...marked(title, terms))
  const excerpt = document.createElement('p')
  excerpt.append(...marked(excerptOf(text, terms), terms))
  option.append(...(page === title ? [heading] : [where, heading]), excerpt)
  option.addEventListener('click', () => follow(option))
  option.addEventListener('pointermove', () => choose(at))
  return option
}

/** Returns the part of the text around the first search word that was found. */
function excerptOf(text, terms) {
  const found = Math.max(0, text.search(patternOf(terms)))
  const start = found < EXCERPT / 2 ? 0 : text.indexOf(' ', found - EXCERPT / 3) + 1
  const part = text.slice(start, start + EXCERPT)
  return `${start > 0 ? '… ' : ''}${part}${start + EXCERPT < text.length ? ' …' : ''}`
}

const patternOf = terms =>
  new RegExp(`(${terms.map(term => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'giu')

const marked = (text, terms) =>
  text.split(patternOf(terms)).map((part, at) => {
    if (at % 2 === 0) return part
    const mark = document.createElement('mark')
    mark.textContent = part
    return mark
  })

let chosen = -1
function choose(at) {
  const all = list.children
  all[chosen]?.setAttribute('aria-selected', 'false')
  chosen = all.length === 0 ? -1 : (at + all.length) % all.length
  all[chosen]?.setAttribute('aria-selected', 'true')
  if (chosen === -1) input.removeAttribute('aria-activedescendant')
  else input.setAttribute('aria-activedescendant', all[chosen].id)
}

input.addEventListener('keydown', event => {
  if (event.key === 'Enter' && chosen >= 0) follow(list.children[chosen])
  else if (event.key === 'ArrowDown') choose(chosen + 1)
  else if (event.key === 'ArrowUp') choose(chosen - 1)
  else return
  event.preventDefault()
  list.children[chosen]?.scrollIntoView({ block: 'nearest' })
})

function follow(option) {
  dialog.close()
  location.assign(option.dataset.href)
}
