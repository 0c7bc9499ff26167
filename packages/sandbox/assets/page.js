// Keeps what is shown up to date by asking for the same page again. Only regions that changed are put in
// place, so nothing flickers; forms live outside of them and keep what was typed.
const PAUSE_MS = 2000
const regions = ['live', 'live-log']

async function refresh() {
  // A selection would be lost, and a hidden page has no reader.
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
    // A server that is being restarted is back in a moment.
    await refresh().catch(() => {})
  }
}

keepFresh()
