import { ActionIcon, AppShell, Burger, Divider, Group, NavLink, SegmentedControl, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFileText, IconLogout } from '@tabler/icons-react'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { useWords, words } from '../language/language.tsx'
import { LiveContext, useLive } from '../live/live.ts'
import { LostStrip } from '../live/lost-strip.tsx'
import { Forbidden } from '../parts/states.tsx'
import { useAccount } from '../session/account.ts'
import { leave } from '../session/leave.ts'
import { LanguageButton, ThemeButton } from './appearance.tsx'
import { Mark } from './mark.tsx'
import { type Mode, useMode } from './mode.ts'
import { isOfOthers, names, navigationOf } from './navigation.ts'
import classes from './shell.module.css'

/** The colour that marks test mode. White text on it has a contrast of 5.6:1. */
const TEST_COLOR = '#b93c08'
/** Notifications are loaded lazily, because there are none until the user does something. */
const Notifications = lazy(() => import('./notifications.tsx'))
/** The count of waiting items is loaded lazily, because only the Owner sees it. */
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
    documentation: 'Documentation',
    logOut: 'Log out',
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
    documentation: 'Dokumentasi',
    logOut: 'Keluar',
  },
})

export function Shell() {
  const t = useWords(text)
  const n = useWords(names)
  const account = useAccount()
  const live = useLive()
  const { pathname } = useLocation()
  const [isOpen, { toggle, close }] = useDisclosure()
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigating closes the menu so that the page is visible
  useEffect(close, [pathname])

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', md: 'xl' }}
    >
      <a href="#page" className={classes.skip}>
        {t.skip}
      </a>
      <AppShell.Header className={classes.header}>
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
          <LiveDot isConnected={live.isConnected} />
          <ModeSwitch />
          <Group gap={0} visibleFrom="sm">
            <LanguageButton />
            <ThemeButton />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" className={classes.pages} aria-label={t.pages}>
        {navigationOf(account.role).map(({ name, to, icon: Icon }) => (
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
        <LiveContext value={live}>
          {isOfOthers(account.role, pathname) ? <Forbidden /> : <Outlet />}
        </LiveContext>
      </AppShell.Main>
      <Suspense>
        <Notifications />
      </Suspense>
    </AppShell>
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
  return (
    <div className={classes.who}>
      <div className={classes.name}>
        <Text size="sm" fw={600} truncate>
          {account.name}
        </Text>
        <Text size="xs" c="dimmed" truncate title={account.user.email}>
          {account.user.email}
        </Text>
      </div>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t.logOut}
        title={t.logOut}
        onClick={() => void leave()}
      >
        <IconLogout size={18} />
      </ActionIcon>
    </div>
  )
}
