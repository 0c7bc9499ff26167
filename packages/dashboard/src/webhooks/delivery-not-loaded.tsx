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
  /** The error of the request for the delivery; null while the delivery is loading. */
  error: unknown
  retry: () => void
  /**
   * Explains why the delivery may be missing, and links to the list in which the user can look for another delivery.
   */
  children: ReactNode
}

/** Shown on the page of a delivery while the delivery is loading, or if it does not exist or could not be loaded. */
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
