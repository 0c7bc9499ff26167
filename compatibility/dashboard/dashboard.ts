// Logs in to the dashboard and opens its pages in a real browser.

import type { BrowserContextOptions } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { base, newVisit, takePicture, type Visit } from '../site/browser.ts'
import type { Login } from './login.page.ts'

export type Dashboard = Visit & {
  /** Opens a page and resolves when the page and its content are shown. `path` is relative to /dashboard. */
  go(path: string): Promise<void>
  /**
   * Opens a page as `go` does, but through the dashboard's router instead of a page load. The browser then
   * keeps the loaded scripts, which saves two thirds of the CPU time.
   */
  follow(path: string): Promise<void>
}

/**
 * Logs in without the login form, which saves CPU time: a blank page sends the form's request. session.test.ts and
 * journey.test.ts test the form itself.
 */
export async function logIn(
  login: Login,
  options: BrowserContextOptions = {},
  origin: string = base,
): Promise<Dashboard> {
  const visited = await newVisit(options, origin)
  const { page } = visited
  const { email, password } = login
  // Logs in with a direct request. The response stores the session cookie in the browser context, so the page
  // is logged in, too.
  const response = await page.request.post(`${origin}/trpc/session.open`, { data: { email, password } })
  if (!response.ok()) throw new Error(`the login failed: ${await response.text()}`)
  return {
    ...visited,
    async go(path) {
      await page.goto(`${origin}/dashboard${path}`)
      await settled(visited)
    },
    async follow(path) {
      await page.evaluate(target => history.pushState(null, '', target), `/dashboard${path}`)
      await routed(visited)
    },
  }
}

/** Waits until the page for the current address is shown and has finished loading its data. */
export async function routed(visited: Visit): Promise<void> {
  await visited.page.waitForFunction(isRouted)
  await settled(visited)
}

/** Returns whether the router shows the page for the current address. This function runs in the browser page. */
function isRouted(): boolean {
  type Router = { state: { status: string; resolvedLocation?: { href: string }; location: { href: string } } }
  const { state } = (globalThis as unknown as { __TSR_ROUTER__: Router }).__TSR_ROUTER__
  return (
    state.status === 'idle' &&
    state.resolvedLocation?.href === state.location.href &&
    `/dashboard${state.location.href}`.replace(/\/$/, '') ===
      `${location.pathname}${location.search}`.replace(/\/$/, '')
  )
}

/**
 * Logs in for the current test, which then opens its first page with `go`. The window closes at the end of the
 * test.
 */
export async function openDashboard(...args: Parameters<typeof logIn>): Promise<Dashboard> {
  const dashboard = await logIn(...args)
  onTestFinished(() => dashboard.end())
  return dashboard
}

/** Waits until the page shows a heading and has finished loading its data. */
export async function settled({ page }: Visit): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root, .mantine-Loader-root'))
  // The page applies a changed color scheme and starts its animations only in the next animation frame. The
  // code below therefore waits until this frame has passed.
  await page.evaluate(
    () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  // Waits until all animations have ended, except those that repeat forever.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState !== 'running' || !Number.isFinite(Number(effect?.getComputedTiming().endTime)),
      ),
  )
}

export const picture = ({ page }: Visit, name: string): Promise<void> => takePicture(page, 'dashboard', name)
