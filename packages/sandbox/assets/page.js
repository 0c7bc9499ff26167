// Keeps the page up to date. The script fetches the same page again and replaces only the regions that changed, so
// nothing flickers. Forms are not part of these regions, so text typed into a form is kept.
const PAUSE_MS = 2000
const regions = ['live', 'live-log']

async function refresh() {
  // A hidden page needs no updates. While text is selected, the page is not updated either, because an update
  // would clear the selection.
  if (document.hidden || !document.getSelection()?.isCollapsed) return
  const response = await fetch(location.href, { headers: { accept: 'text/html' } })
  if (!response.ok) return
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html')
  for (const id of regions) {
    const shown = document.getElementById(id)
    const next = fresh.getElementById(id)
    if (shown && next) put(shown, next)
  }
}

function put(shown, next) {
  for (const details of shown.querySelectorAll('details[open]')) {
    next.querySelector(`details[data-key="${CSS.escape(details.dataset.key)}"]`)?.setAttribute('open', '')
  }
  if (shown.innerHTML === next.innerHTML) return
  const focused = shown.contains(document.activeElement) && document.activeElement.getAttribute('href')
  shown.replaceChildren(...next.childNodes)
  if (focused) shown.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus()
}

async function keepFresh() {
  for (;;) {
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
    // If refreshing the page fails, the error is ignored. A restarting server is soon available again, and
    // the next refresh tries again.
    await refresh().catch(() => {})
  }
}

keepFresh()
