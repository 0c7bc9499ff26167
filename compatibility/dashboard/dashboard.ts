// Opens the dashboard in a real browser and logs in through the login form.

import type { BrowserContextOptions } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { base, takePicture, type Visit, visit } from '../site/browser.ts'
import { fillLogin, type Login } from './login.page.ts'

export type Dashboard = Visit & {
  /** Opens a page. Resolves when the page and its content are shown. `path` is relative to /dashboard. */
  go(path: string): Promise<void>
}

export async function logIn(
  login: Login,
  options: BrowserContextOptions = {},
  origin: string = base,
): Promise<Dashboard> {
  const visited = await visit('/dashboard/login', options, origin)
  const { page } = visited
  await fillLogin(page, login)
  await page.getByRole('button', { name: /^(Log in|Masuk)$/ }).click()
  await page.waitForURL(url => url.pathname === '/dashboard' || url.pathname === '/dashboard/')
  await settled(visited)
  return {
    ...visited,
    async go(path) {
      await page.goto(`${origin}/dashboard${path}`)
      await settled(visited)
    },
  }
}

/** Logs in to the dashboard for the current test. The window is closed at the end of the test. */
export async function openDashboard(...args: Parameters<typeof logIn>): Promise<Dashboard> {
  const dashboard = await logIn(...args)
  onTestFinished(() => dashboard.end())
  return dashboard
}

/** Waits until the page shows a heading and has finished loading its data. */
export async function settled({ page }: Visit): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root, .mantine-Loader-root'))
  // The page applies a change of the colour scheme in the next animation frame. This starts animations, for
  // which the code below waits.
  await page.evaluate(
    () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  // Waits until all animations have ended that do not repeat forever.
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
