// The script of every documentation page. It adds copy buttons, remembers the chosen tab, and marks the current section
// in the table of contents. Without this script, a page still has its complete text and all links.

const tabKey = 'gapura-docs-tab'
const texts = document.body.dataset

for (const figure of document.querySelectorAll('figure.code:not(.output, .diagram)')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = texts.copy
  button.addEventListener('click', () => copy(figure.querySelector('code').textContent, button))
  figure.append(button)
}

const announcements = document.createElement('p')
announcements.className = 'unseen'
announcements.setAttribute('role', 'status')
document.body.append(announcements)

async function copy(text, button) {
  let said = texts.copied
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // On pages loaded over plain http from another machine, browsers do not allow access to the clipboard, so the code
    // is selected instead.
    said = selectAll(button.parentElement.querySelector('code')) ? texts.selected : texts.notCopied
  }
  button.textContent = said
  announcements.textContent = said
  setTimeout(() => {
    button.textContent = texts.copy
    announcements.textContent = ''
  }, 2000)
}

function selectAll(element) {
  const selection = getSelection()
  selection?.selectAllChildren(element)
  return selection !== null
}

// Makes code blocks and tables that scroll focusable, so that they can be scrolled with the keyboard. Elements that do
// not scroll get no focus.
const scrolling = document.querySelectorAll('pre, .table')
const overflow = new ResizeObserver(() => {
  for (const each of scrolling) {
    if (each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight) each.tabIndex = 0
    else each.removeAttribute('tabindex')
  }
})
for (const each of scrolling) overflow.observe(each)

function choose(tab) {
  for (const input of document.querySelectorAll('.tabs input')) if (input.value === tab) input.checked = true
}
try {
  choose(localStorage.getItem(tabKey))
} catch {
  // The browser does not allow local storage, so every page shows its first tab.
}
document.addEventListener('change', ({ target }) => {
  if (!target.matches('.tabs input')) return
  // Choosing a tab changes all tab groups of the page, and the groups above may grow or shrink. The page is therefore
  // scrolled so that the clicked tab stays under the pointer.
  const top = target.nextElementSibling.getBoundingClientRect().top
  choose(target.value)
  scrollBy({ top: target.nextElementSibling.getBoundingClientRect().top - top, behavior: 'instant' })
  try {
    localStorage.setItem(tabKey, target.value)
  } catch {
    // If the browser does not allow local storage, the page does not remember the chosen tab.
  }
})

const inToc = new Map(
  [...document.querySelectorAll('.toc a')].map(link => [decodeURIComponent(link.hash.slice(1)), link]),
)
const headings = [...document.querySelectorAll('article [id]')].filter(({ id }) => inToc.has(id))

function markHeading() {
  // The current section is the last one whose heading has reached the banner at the top of the window.
  const passed = headings.filter(heading => heading.getBoundingClientRect().top < 120)
  const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2
  const current = isAtEnd ? headings.at(-1) : (passed.at(-1) ?? headings[0])
  for (const [id, link] of inToc) {
    if (id === current.id) link.setAttribute('aria-current', 'true')
    else link.removeAttribute('aria-current')
  }
}
if (headings.length > 0) {
  addEventListener('scroll', markHeading, { passive: true })
  markHeading()
}

// The page in another language has the same headings, so the link to that page also leads to the current
// heading.
for (const link of document.querySelectorAll('a.language'))
  link.addEventListener('click', () => {
    link.hash = location.hash
  })

// The navigation may be longer than the window, so it is scrolled until its link to the current page is
// visible.
document.querySelector('.side [aria-current]')?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
