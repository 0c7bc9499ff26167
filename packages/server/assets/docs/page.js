// What a page does beyond being read: copying code, remembering the chosen tab, showing where one is. All of it is an
// addition; without this file everything can still be read and reached.

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
    // Over plain http from another machine browsers have no clipboard.
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

// An element that scrolls can be scrolled with the keyboard, too. An element that does not scroll gets no focus.
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
  // A browser that keeps nothing shows the first tab on every page.
}
document.addEventListener('change', ({ target }) => {
  if (!target.matches('.tabs input')) return
  // The tabs above may grow or shrink; what was clicked stays under the pointer.
  const top = target.nextElementSibling.getBoundingClientRect().top
  choose(target.value)
  scrollBy({ top: target.nextElementSibling.getBoundingClientRect().top - top, behavior: 'instant' })
  try {
    localStorage.setItem(tabKey, target.value)
  } catch {
    // See above.
  }
})

const inToc = new Map(
  [...document.querySelectorAll('.toc a')].map(link => [decodeURIComponent(link.hash.slice(1)), link]),
)
const headings = [...document.querySelectorAll('article [id]')].filter(({ id }) => inToc.has(id))

function markHeading() {
  // The last heading that has passed a line just below the banner begins the section that is being read.
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

// The page in another language has the same headings, so the reader stays at the heading that is open.
for (const link of document.querySelectorAll('a.language'))
  link.addEventListener('click', () => {
    link.hash = location.hash
  })

// The list may be longer than the window is high: the reader's page is in sight in it, and nothing moves where it is
// already.
document.querySelector('.side [aria-current]')?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
