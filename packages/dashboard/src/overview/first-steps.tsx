import { Group, Text, VisuallyHidden } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ButtonLink } from '../parts/links.tsx'
import { Panel } from '../parts/panel.tsx'
import { callbackUrlQuery } from '../webhooks/endpoint.ts'
import classes from './first-steps.module.css'
import { useLatestPayments } from './use-latest-payments.ts'

const text = words({
  en: {
    title: 'First steps',
    done: 'Done',
    key: 'Create an API key',
    keyWhy: 'Your server creates payments with an API key. Start with a test key.',
    keyGo: 'API keys',
    url: 'Set the callback URL',
    urlWhy: 'Gapura sends a signed webhook to the callback URL when a payment changes.',
    urlGo: 'Webhooks',
    test: 'Create a test payment',
    testWhy: 'Create a payment here or from your server, then pay it in the sandbox. No real money moves.',
    testGo: 'Test payment',
  },
  id: {
    title: 'Langkah pertama',
    done: 'Selesai',
    key: 'Buat kunci API',
    keyWhy: 'Server Anda membuat pembayaran dengan kunci API. Mulailah dengan kunci uji coba.',
    keyGo: 'Kunci API',
    url: 'Atur URL callback',
    urlWhy: 'Gapura mengirim webhook bertanda tangan ke URL callback saat pembayaran berubah.',
    urlGo: 'Webhook',
    test: 'Buat pembayaran uji coba',
    testWhy:
      'Buat pembayaran di sini atau dari server Anda, lalu bayar di sandbox. Tidak ada uang sungguhan yang berpindah.',
    testGo: 'Pembayaran uji coba',
  },
})

/**
 * Shows the steps that a merchant takes before the first payment. Renders nothing once all steps are done.
 */
export function FirstSteps() {
  const t = useWords(text)
  const keys = useQuery(trpc.keys.listOwn.queryOptions({}))
  const callbackUrl = useQuery(callbackUrlQuery)
  const tests = useLatestPayments('test')
  const hasKey = keys.data?.items.some(key => key.revoked_at === null) ?? false
  const hasUrl = typeof callbackUrl.data === 'string'
  const hasTested = (tests.rows?.length ?? 0) > 0
  const isKnown = keys.data && callbackUrl.data !== undefined && tests.rows
  if (!isKnown || (hasKey && hasUrl && hasTested)) return null
  return (
    <Panel title={t.title}>
      <ol className={classes.steps}>
        <Step isDone={hasKey} title={t.key} why={t.keyWhy}>
          <ButtonLink to="/api-keys" variant="default" size="xs">
            {t.keyGo}
          </ButtonLink>
        </Step>
        <Step isDone={hasUrl} title={t.url} why={t.urlWhy}>
          <ButtonLink to="/webhooks" variant="default" size="xs">
            {t.urlGo}
          </ButtonLink>
        </Step>
        <Step isDone={hasTested} title={t.test} why={t.testWhy}>
          <ButtonLink to="/payments/new" variant="default" size="xs">
            {t.testGo}
          </ButtonLink>
        </Step>
      </ol>
    </Panel>
  )
}

type StepGiven = { isDone: boolean; title: string; why: string; children: ReactNode }

function Step({ isDone, title, why, children }: StepGiven) {
  const t = useWords(text)
  return (
    <li className={classes.step}>
      {isDone ? (
        <IconCircleCheckFilled className={classes.done} aria-hidden />
      ) : (
        <IconCircle className={classes.open} aria-hidden />
      )}
      <div className={classes.what}>
        <Text fw={600}>
          {title}
          {isDone && <VisuallyHidden>{` (${t.done})`}</VisuallyHidden>}
        </Text>
        <Text size="sm" c="dimmed">
          {why}
        </Text>
      </div>
      <Group>{children}</Group>
    </li>
  )
}
