import { Anchor, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useWords, words } from '../language/language.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { Failure } from '../parts/states.tsx'
import { useIsPermitted } from '../session/account.ts'
import { CallbackSecret } from './callback-secret.tsx'
import { CallbackUrl } from './callback-url.tsx'
import { Deliveries } from './deliveries.tsx'
import { endpointQuery } from './endpoint.ts'
import { Endpoints } from './endpoints/endpoints.tsx'
import { TestEvent } from './test-event.tsx'

const text = words({
  en: {
    title: 'Webhooks',
    about: 'Gapura notifies your server when a payment changes.',
    guide: 'How to receive and verify webhooks',
    url: 'Callback URL',
    secret: 'Signing secret',
  },
  id: {
    title: 'Webhook',
    about: 'Gapura memberi tahu server Anda saat pembayaran berubah.',
    guide: 'Cara menerima dan memverifikasi webhook',
    url: 'URL callback',
    secret: 'Kunci rahasia webhook',
  },
})

export function WebhooksPage() {
  const t = useWords(text)
  const isDeveloper = useIsPermitted('developer')
  return (
    <Page
      title={t.title}
      description={
        <>
          {t.about}{' '}
          <Anchor href="/docs/webhooks" underline="always">
            {t.guide}
          </Anchor>
        </>
      }
    >
      {/* Only users with the permission `developer` can read the endpoint, because it contains the signing
          secret. */}
      {isDeveloper && <CallbackEndpoint />}
      <Endpoints />
      <Deliveries />
    </Page>
  )
}

/** Shows the callback URL and its secret. */
function CallbackEndpoint() {
  const t = useWords(text)
  const { data: endpoint, error, refetch } = useQuery(endpointQuery)
  if (error && !endpoint) return <Failure error={error} retry={() => void refetch()} />
  return (
    <>
      <Panel title={t.url}>
        {endpoint ? (
          <Stack gap="lg">
            <CallbackUrl key={endpoint.callback_url} url={endpoint.callback_url} />
            {endpoint.callback_url !== null && <TestEvent />}
          </Stack>
        ) : (
          <Skeleton height={76} />
        )}
      </Panel>
      <Panel title={t.secret}>
        {endpoint ? <CallbackSecret endpoint={endpoint} /> : <Skeleton height={76} />}
      </Panel>
    </>
  )
}
