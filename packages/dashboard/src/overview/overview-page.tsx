import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { TRPCQueryKey } from '@trpc/tanstack-react-query'
import { lazy, Suspense, useMemo } from 'react'
import { OTHERS_EVERY_MS } from '../api/query-client.ts'
import { type Inputs, trpc } from '../api/trpc.ts'
import { dayIn, useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Page } from '../parts/page.tsx'
import { Failure } from '../parts/states.tsx'
import { useAccount, useIsPermitted } from '../session/account.ts'
import { type Mode, useMode } from '../shell/mode.ts'
import { BalancePanel } from './balance-panel.tsx'
import { figuresByDay, figuresOf } from './figures.ts'
import { FirstSteps } from './first-steps.tsx'
import { Headline } from './headline.tsx'
import { MethodShares } from './method-shares.tsx'
import classes from './overview-page.module.css'
import { type Period, periodOf } from './period.ts'
import { PeriodPicker } from './period-picker.tsx'
import { useLatestPayments } from './use-latest-payments.ts'
import { VolumePanel } from './volume-panel.tsx'

// The tables are loaded after the overview's figures. The code for the tables' virtual scrolling makes up a tenth of
// the page's script, so loading it first would delay the figures.
const LatestPayments = lazy(() => import('./latest-payments.tsx'))
const TenantFigures = lazy(() => import('./tenant-figures.tsx'))
const WaitingAlert = lazy(() => import('../inbox/waiting-alert.tsx'))

const text = words({
  en: {
    title: 'Overview',
    what: {
      live: (from: string, to: string) => `Live payments created from ${from} to ${to}`,
      test: (from: string, to: string) => `Test payments created from ${from} to ${to}`,
    },
  },
  id: {
    title: 'Ringkasan',
    what: {
      live: (from: string, to: string) => `Pembayaran live yang dibuat ${from} sampai ${to}`,
      test: (from: string, to: string) => `Pembayaran uji coba yang dibuat ${from} sampai ${to}`,
    },
  },
})

export function OverviewPage() {
  const t = useWords(text)
  const format = useFormat()
  const search = useSearch({ from: '/inside/' })
  const { role } = useAccount()
  const [mode] = useMode()
  const today = dayIn(new Date())
  const period = periodOf(search, today)
  return (
    <Page
      title={t.title}
      description={t.what[mode](format.shortDay(period.from), format.shortDay(period.to))}
      actions={<PeriodPicker period={period} today={today} />}
    >
      {role === 'client' && <Welcome mode={mode} />}
      <Suspense>{role === 'owner' && <WaitingAlert />}</Suspense>
      <Figures period={period} mode={mode} isClient={role === 'client'} />
      <Suspense fallback={<Skeleton height={320} />}>
        {role === 'client' ? <LatestPayments mode={mode} /> : <TenantFigures period={{ ...period, mode }} />}
      </Suspense>
    </Page>
  )
}

function Welcome({ mode }: { mode: Mode }) {
  const { rows } = useLatestPayments(mode)
  const isDeveloper = useIsPermitted('developer')
  return rows?.length === 0 && isDeveloper ? <FirstSteps /> : null
}

function Figures({ period, mode, isClient }: { period: Period; mode: Mode; isClient: boolean }) {
  const { data, error, refetch } = useQuery(
    trpc.reports.payments.queryOptions(
      { ...period, mode, group_by: 'day,status,method_type' },
      {
        // While new figures load, the figures for the previous period stay visible. However, figures for the other
        // mode (test or live) are not shown.
        placeholderData: (before, query) => (modeIn(query?.queryKey) === mode ? before : undefined),
        refetchInterval: isClient ? false : OTHERS_EVERY_MS,
      },
    ),
  )
  const rows = data?.items
  const { from, to } = period
  const days = useMemo(() => rows && figuresByDay(rows, { from, to }), [rows, from, to])
  if (error && !rows) return <Failure error={error} retry={() => void refetch()} />
  return (
    <>
      <Headline figures={rows && figuresOf(rows)} />
      <div className={classes.columns} data-tall={isClient && rows?.length !== 0}>
        <VolumePanel days={days} />
        <Stack gap="lg">
          {isClient && <BalancePanel mode={mode} />}
          <MethodShares rows={rows} />
        </Stack>
      </div>
    </>
  )
}

const modeIn = (key: TRPCQueryKey | undefined) =>
  (key?.[1]?.input as Inputs['reports']['payments'] | undefined)?.mode
