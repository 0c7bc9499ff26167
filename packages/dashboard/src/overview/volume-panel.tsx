import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useWords, words } from '../language/language.tsx'
import { Panel } from '../parts/panel.tsx'
import type { DayFigures } from './figures.ts'

const VolumeChart = lazy(() => import('./volume-chart.tsx').then(module => ({ default: module.VolumeChart })))

const text = words({
  en: { title: 'Net amount per day' },
  id: { title: 'Jumlah bersih per hari' },
})

const awaited = <Skeleton height="var(--chart-height)" radius="sm" />

export const VolumePanel = ({ days }: { days: readonly DayFigures[] | undefined }) => (
  <Panel title={useWords(text).title}>
    {days ? (
      <Suspense fallback={awaited}>
        <VolumeChart days={days} />
      </Suspense>
    ) : (
      awaited
    )}
  </Panel>
)
