// Polls for all open pages of this process at once, a few times a second while any page is open. The cost grows with
// the merchants who have a page open, not with their payments. LISTEN and NOTIFY would be slightly faster but would
// slow down every payment: PostgreSQL serializes the commits of transactions that notify.

import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../db/db.ts'
import { fairLimit } from '../fairness/fair-limit.ts'
import type { Logger } from '../logging/log.ts'
import { changesSince, everything, type LiveChange, type Seen } from './live-change.ts'
import { AT_MOST, listSeenOfOwner, listSeenOfTenants, RECENT_MS } from './polled-rows.sql.ts'

const LOOK_EVERY_MS = 300
/**
 * The maximum number of changes that wait for a page. If there are more, the page is notified to reload all its data.
 */
const KEPT_FOR_A_PAGE = 500

const inNoContext = AsyncLocalStorage.snapshot()

type Page = { waiting: LiveChange[]; wake: () => void }
type Watched = { before: Seen[] | undefined; lookedAtMs: number; pages: Set<Page> }

export type Live = {
  /**
   * Yields changes as soon as they are found. Ends when `signal` aborts, when the watch stops, or when `mayGoOn`
   * returns false, which is checked before each yield. Throws RATE_LIMITED or SERVICE_UNAVAILABLE if too many pages are
   * open. A null `tenantId` watches what the Owner sees.
   */
  watch(
    tenantId: string | null,
    options: { signal: AbortSignal; mayGoOn: () => Promise<boolean> },
  ): AsyncGenerator<LiveChange[]>
  /** Disconnects all pages and accepts no new ones. */
  stop(): void
}

const withPlace = fairLimit({ all: 512, own: 16, what: 'open pages' })

export function watchChanges({ db, log }: { db: Db; log: Logger }): Live {
  const watched = new Map<string, Watched>()
  const ending = new AbortController()
  let looking = false

  async function look(): Promise<void> {
    const startedAtMs = Date.now()
    const tenantIds = [...watched.keys()].filter(key => key !== OWNER)
    const [tenants, owner] = await Promise.all([
      tenantIds.length > 0 ? listSeenOfTenants(db, tenantIds) : undefined,
      watched.has(OWNER) ? listSeenOfOwner(db) : undefined,
    ])
    for (const [key, each] of watched) {
      const now = key === OWNER ? owner : tenants?.get(key)
      if (!now) continue
      const told = changesSince(each.before, now)
      // More may have changed than one poll lists, or something may have changed before the period that the poll
      // covers.
      const isMore = told.length >= AT_MOST || (each.before && startedAtMs - each.lookedAtMs > RECENT_MS / 2)
      const changes = isMore ? [everything] : told
      each.before = now
      each.lookedAtMs = startedAtMs
      if (changes.length > 0) for (const page of each.pages) hand(page, changes)
    }
  }

  /**
   * Polls while any page is open. If the database is unavailable, it retries. When the database is available again, the
   * pages reload all their data.
   */
  async function lookOn(): Promise<void> {
    if (looking) return
    looking = true
    let isAway = false
    while (watched.size > 0 && !ending.signal.aborted) {
      try {
        await look()
        isAway = false
      } catch (error) {
        if (!isAway)
          log.warn(
            { err: error },
            'the database is unavailable; open dashboard pages receive no live updates until it responds',
          )
        isAway = true
      }
      await pause(LOOK_EVERY_MS)
    }
    looking = false
  }

  async function* follow(
    key: string,
    { signal, mayGoOn }: { signal: AbortSignal; mayGoOn: () => Promise<boolean> },
  ): AsyncGenerator<LiveChange[]> {
    const page: Page = { waiting: [], wake: () => {} }
    const each = watched.get(key) ?? { before: undefined, lookedAtMs: 0, pages: new Set() }
    each.pages.add(page)
    watched.set(key, each)
    // The loop is shared, so it must not run in the database scope or log context of the page that started it.
    inNoContext(() => void lookOn())
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
      // The page's slot stays taken as long as the page watches.
      const entered = Promise.withResolvers<void>()
      const place = withPlace(key, () => {
        entered.resolve()
        return leave.promise
      })
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
  if (page.waiting.length + changes.length <= KEPT_FOR_A_PAGE) page.waiting.push(...changes)
  else page.waiting = [everything]
  page.wake()
}
