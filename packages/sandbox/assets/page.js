// Keeps the page up to date: fetches the same page again and replaces only the regions that changed. Nothing flickers,
// and input that was typed into a form is kept, because forms are outside of these regions.
const PAUSE_MS = 2000
const regions = ['live', 'live-log']

async function refresh() {
  // The update is skipped on a hidden page, which needs no updates, and while text is selected, because an
  // update would clear the selection.
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
    // A failed update is ignored, because a restarting server is soon available and the next update tries
    // again.
    await refresh().catch(() => {})
  }
}

keepFresh()
