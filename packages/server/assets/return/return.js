// Shows a change of the payment's status without a reload. The page itself is complete without this script.

const LONGEST_PAUSE_MS = 30_000
let pauseMs = 3_000

const isFinal = () => !document.querySelector('main')?.hasAttribute('data-open')

async function refresh() {
  if (document.visibilityState === 'visible') await readAgain().catch(() => {})
  if (isFinal()) return
  setTimeout(refresh, pauseMs)
  pauseMs = Math.min(pauseMs * 1.2, LONGEST_PAUSE_MS)
}

async function readAgain() {
  const answer = await fetch(location.href, { cache: 'no-store' })
  if (!answer.ok) return
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const [before, now] = [document, page].map(each => each.querySelector('main'))
  if (!before || !now || before.dataset.status === now.dataset.status) return
  document.title = page.title
  // Only the content of the element is replaced, not the element itself, so that a screen reader announces the new
  // content.
  before.replaceChildren(...now.children)
  before.dataset.status = now.dataset.status
  before.toggleAttribute('data-open', now.hasAttribute('data-open'))
}

if (!isFinal()) setTimeout(refresh, pauseMs)
// When the payer returns from the wallet's app, the result of the payment is probably known. The page therefore
// requests the payment's status immediately.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && !isFinal()) readAgain().catch(() => {})
})
