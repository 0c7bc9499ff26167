// One look for all pages that are open at this process, a few times a second while there are any: what it costs grows
// with the merchants who look, and not with what they do. LISTEN and NOTIFY would be quicker by a moment, and would make
// every payment pay for it: PostgreSQL lets transactions that notify commit one after the other.

import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../app.ts'
import { atMost } from '../at-most.ts'
import { inScope } from '../db/scope.ts'
import { changesSince, type LiveChange, type Seen } from './live-change.ts'
import { listSeenOfOwner, listSeenOfTenants } from './seen.sql.ts'

const LOOK_EVERY_MS = 300
/** A page gets at most so many at once; one that has fallen further behind asks for everything it shows. */
const KEPT_FOR_A_PAGE = 500

type Page = { waiting: LiveChange[]; wake: () => void }
type Watched = { before: Seen[] | undefined; pages: Set<Page> }

export type Live = {
  /**
   * Yields as soon as something changes, until the signal, the end of the watch, or mayGoOn says no, which is asked before
   * each. Throws SERVICE_UNAVAILABLE where too many watch. tenantId null: what the Owner sees.
   */
  watch(
    tenantId: string | null,
    options: { signal: AbortSignal; mayGoOn: () => Promise<boolean> },
  ): AsyncGenerator<LiveChange[]>
  /** Every page is let go; none is taken any more. */
  stop(): void
}

const ofAll = atMost(256, 'as many pages are open as may')
const ofTenant = atMost(16, 'sixteen pages of this tenant are open already')

export function watchChanges({ db, log }: Pick<App, 'db' | 'log'>): Live {
  const watched = new Map<string, Watched>()
  const ending = new AbortController()
  let looking = false

  async function look(): Promise<void> {
    const tenantIds = [...watched.keys()].filter(key => key !== OWNER)
    const [tenants, owner] = await Promise.all([
      tenantIds.length > 0 ? listSeenOfTenants(db, tenantIds) : undefined,
      watched.has(OWNER) ? listSeenOfOwner(db) : undefined,
    ])
    for (const [key, each] of watched) {
      const now = key === OWNER ? owner : tenants?.get(key)
      if (!now) continue
      const changes = changesSince(each.before, now)
      each.before = now
      if (changes.length > 0) for (const page of each.pages) hand(page, changes)
    }
  }

  /** Runs while somebody watches. A database that is away is waited for: pages learn of everything once it is back. */
  async function lookOn(): Promise<void> {
    if (looking) return
    looking = true
    while (watched.size > 0 && !ending.signal.aborted) {
      await look().catch(error => log.warn({ err: error }, 'open pages could not be told of changes'))
      await pause(LOOK_EVERY_MS)
    }
    looking = false
  }

  async function* follow(
    key: string,
    { signal, mayGoOn }: { signal: AbortSignal; mayGoOn: () => Promise<boolean> },
  ): AsyncGenerator<LiveChange[]> {
    const page: Page = { waiting: [], wake: () => {} }
    const each = watched.get(key) ?? { before: undefined, pages: new Set() }
    each.pages.add(page)
    watched.set(key, each)
    // The loop is nobody's: it must not look through the eyes of who came first.
    inScope(undefined, () => void lookOn())
    const over = AbortSignal.any([signal, ending.signal])
    const wake = () => page.wake()
    over.addEventListener('abort', wake)
    try {
      while (!over.aborted) {
        if (page.waiting.length === 0) {
          await new Promise<void>(resolve => {
            page.wake = resolve
          })
        }
        if (over.aborted || !(await mayGoOn())) return
        if (page.waiting.length > 0) yield page.waiting.splice(0)
      }
    } finally {
      over.removeEventListener('abort', wake)
      each.pages.delete(page)
      if (each.pages.size === 0) watched.delete(key)
    }
  }

  return {
    async *watch(tenantId, options) {
      const key = tenantId ?? OWNER
      const leave = Promise.withResolvers<void>()
      // A place is kept for as long as the page watches.
      const entered = Promise.withResolvers<void>()
      const place = ofTenant(
        () =>
          ofAll(() => {
            entered.resolve()
            return leave.promise
          }),
        key,
      )
      place.catch(entered.reject)
      await entered.promise
      try {
        yield* follow(key, options)
      } finally {
        leave.resolve()
      }
    },
    stop: () => ending.abort(),
  }
}

const OWNER = 'owner'

function hand(page: Page, changes: LiveChange[]): void {
  if (page.waiting.length < KEPT_FOR_A_PAGE) page.waiting.push(...changes)
  page.wake()
}
