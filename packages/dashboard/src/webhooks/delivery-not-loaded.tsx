import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { faultOf } from '../api/fault.ts'
import { useWords, words } from '../language/language.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty, Failure } from '../parts/states.tsx'

const text = words({
  en: { missing: 'Delivery not found' },
  id: { missing: 'Pengiriman tidak ditemukan' },
})

type Given = {
  /** The error from loading the delivery, or null while it is loading. */
  error: unknown
  retry: () => void
  /**
   * The text that explains why the requested webhook delivery may be missing, with a link to the delivery
   * list.
   */
  children: ReactNode
}

/**
 * Shows a placeholder or an error instead of a webhook delivery while the delivery is loading or if loading
 * fails.
 */
export function DeliveryNotLoaded({ error, retry, children }: Given) {
  const t = useWords(text)
  if (!error) return <Skeleton height={320} />
  if (faultOf(error).code !== 'NOT_FOUND') return <Failure error={error} retry={retry} />
  return (
    <Panel>
      <Empty title={t.missing}>{children}</Empty>
    </Panel>
  )
}
