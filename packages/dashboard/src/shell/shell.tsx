import {
  ActionIcon,
  AppShell,
  Burger,
  Divider,
  Group,
  NavLink,
  SegmentedControl,
  Text,
  UnstyledButton,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFileText, IconLogout } from '@tabler/icons-react'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useHasFees } from '../fees/has-fees.ts'
import { useWords, words } from '../language/language.tsx'
import { LiveContext, useLive } from '../live/live.ts'
import { LostStrip } from '../live/lost-strip.tsx'
import { Forbidden } from '../parts/states.tsx'
import { useAccount } from '../session/account.ts'
import { EnrolNotice } from '../session/enrol-notice.tsx'
import { leave } from '../session/leave.ts'
import { ProofHost } from '../session/proof-host.tsx'
import { LanguageButton, ThemeButton } from './appearance.tsx'
import { CommandButton } from './command-button.tsx'
import { Mark } from './mark.tsx'
import { type Mode, useMode } from './mode.ts'
import { isOfOthers, names, navigationOf } from './navigation.ts'
import classes from './shell.module.css'

const HEADER_HEIGHT = 56
const BANNER_HEIGHT = 32
/** The color that marks test mode. White text on it has a contrast of 5.6:1. */
const TEST_COLOR = '#b93c08'
/**
 * The component that shows pop-up notifications is loaded lazily, because notifications appear only after a
 * user action.
 */
const Notifications = lazy(() => import('./notifications.tsx'))
/** The keyboard shortcuts are loaded lazily, so that the first page is shown without waiting for them. */
const Shortcuts = lazy(() => import('./shortcuts.tsx'))
/**
 * The inbox count is loaded lazily, because only the Owner (the service's operator) sees how many items await
 * a decision.
 */
const WaitingCount = lazy(() => import('../inbox/waiting-count.tsx'))

const text = words({
  en: {
    skip: 'Skip to content',
    menu: 'Menu',
    pages: 'Pages',
    mode: 'Mode',
    live: 'Live',
    test: 'Test',
    connected: 'Live updates are on',
    waiting: 'Reconnecting; data may be a few seconds old',
    banner: 'Test mode',
    noMoney: 'No real money moves on this page.',
    toLive: 'Switch to live',
    documentation: 'Documentation',
    logOut: 'Log out',
    stillLoggedIn: 'You are still logged in. Try again.',
  },
  id: {
    skip: 'Langsung ke konten',
    menu: 'Menu',
    pages: 'Halaman',
    mode: 'Mode',
    live: 'Live',
    test: 'Uji coba',
    connected: 'Pembaruan langsung aktif',
    waiting: 'Menyambung kembali; data mungkin terlambat beberapa detik',
    banner: 'Mode uji coba',
    noMoney: 'Tidak ada uang sungguhan di halaman ini.',
    toLive: 'Beralih ke live',
    documentation: 'Dokumentasi',
    logOut: 'Keluar',
    stillLoggedIn: 'Anda belum keluar. Coba lagi.',
  },
})

export function Shell() {
  const t = useWords(text)
  const n = useWords(names)
  const account = useAccount()
  const mustEnrol = account.second_factor_required && !account.has_second_factor
  const hasFees = useHasFees()
  const live = useLive()
  const { pathname } = useLocation()
  const [mode, setMode] = useMode()
  const [isOpen, { toggle, close }] = useDisclosure()
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigating closes the menu so that the page is visible
  useEffect(close, [pathname])

  return (
    <AppShell
      header={{ height: HEADER_HEIGHT + (mode === 'test' ? BANNER_HEIGHT : 0) }}
      navbar={{ width: 248, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', md: 'xl' }}
    >
      <a href="#page" className={classes.skip}>
        {t.skip}
      </a>
      <AppShell.Header>
        {mode === 'test' && <TestBanner leave={() => setMode('live')} />}
        <div className={classes.header}>
          <Burger
            opened={isOpen}
            onClick={toggle}
            hiddenFrom="md"
            size="sm"
            aria-label={t.menu}
            aria-expanded={isOpen}
          />
          <Link to="/" className={classes.home}>
            <Mark />
          </Link>
          <Group gap="xs" ml="auto" wrap="nowrap">
            <CommandButton />
            <LiveDot isConnected={live.isConnected} />
            <ModeSwitch />
            <Group gap={0} visibleFrom="sm">
              <LanguageButton />
              <ThemeButton />
            </Group>
          </Group>
        </div>
      </AppShell.Header>
      <AppShell.Navbar p="sm" className={classes.pages} aria-label={t.pages}>
        {navigationOf(account, { hasFees }).map(({ name, to, icon: Icon }) => (
          <NavLink
            key={name}
            component={Link}
            to={to}
            label={n[name]}
            leftSection={<Icon size={18} stroke={1.7} />}
            rightSection={
              name === 'inbox' && (
                <Suspense>
                  <WaitingCount />
                </Suspense>
              )
            }
            active={to === '/' ? pathname === '/' : pathname.startsWith(to)}
            className={classes.link}
          />
        ))}
        <Divider my="sm" />
        <NavLink
          href="/docs"
          label={t.documentation}
          leftSection={<IconFileText size={18} stroke={1.7} />}
          className={classes.link}
        />
        <Group gap={0} hiddenFrom="sm" mt="sm">
          <LanguageButton />
          <ThemeButton />
        </Group>
        <Who />
      </AppShell.Navbar>
      <AppShell.Main id="page" tabIndex={-1} className={classes.page}>
        <LostStrip at={live.lostAt} />
        {pathname !== '/security' && <EnrolNotice />}
        <LiveContext value={live}>
          {isOfOthers(account, pathname) ? (
            <Forbidden />
          ) : mustEnrol && pathname !== '/security' ? null : (
            <Outlet />
          )}
        </LiveContext>
      </AppShell.Main>
      <Suspense>
        <Notifications />
      </Suspense>
      <Suspense>
        <Shortcuts />
      </Suspense>
      <ProofHost />
    </AppShell>
  )
}

/** Marks every test-mode page, so that users do not mistake its figures for real money. */
function TestBanner({ leave }: { leave: () => void }) {
  const t = useWords(text)
  return (
    <div className={classes.banner} style={{ background: TEST_COLOR, height: BANNER_HEIGHT }}>
      <strong>{t.banner}</strong>
      <span className={classes.noMoney}>{t.noMoney}</span>
      <UnstyledButton className={classes.leave} onClick={leave}>
        {t.toLive}
      </UnstyledButton>
    </div>
  )
}

function ModeSwitch() {
  const t = useWords(text)
  const [mode, setMode] = useMode()
  return (
    <SegmentedControl<Mode>
      size="xs"
      aria-label={t.mode}
      value={mode}
      onChange={setMode}
      color={mode === 'test' ? TEST_COLOR : 'gapura.7'}
      data={[
        { value: 'live', label: t.live },
        { value: 'test', label: t.test },
      ]}
    />
  )
}

function LiveDot({ isConnected }: { isConnected: boolean }) {
  const t = useWords(text)
  const label = isConnected ? t.connected : t.waiting
  return (
    <span className={classes.dot} data-connected={isConnected} role="img" aria-label={label} title={label} />
  )
}

function Who() {
  const t = useWords(text)
  const account = useAccount()
  const [hasFailed, setHasFailed] = useState(false)
  const logOut = () => {
    setHasFailed(false)
    leave().catch(() => setHasFailed(true))
  }
  return (
    <div className={classes.who}>
      <div className={classes.name}>
        <Text size="sm" fw={600} lineClamp={2} title={account.name}>
          {account.name}
        </Text>
        <Text size="xs" c="dimmed" truncate title={account.user.email}>
          {account.user.email}
        </Text>
        {hasFailed && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            {t.stillLoggedIn}
          </Text>
        )}
      </div>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t.logOut}
        title={t.logOut}
        onClick={logOut}
      >
        <IconLogout size={18} />
      </ActionIcon>
    </div>
  )
}
