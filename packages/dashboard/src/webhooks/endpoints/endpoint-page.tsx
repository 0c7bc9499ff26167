import { Button, Group, Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { client, trpc } from '../../api/trpc.ts'
import { useWords, words } from '../../language/language.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Copied } from '../../parts/copied.tsx'
import { Facts } from '../../parts/facts.tsx'
import { ButtonLink, TextLink } from '../../parts/links.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Empty, Failure } from '../../parts/states.tsx'
import { useAct } from '../../parts/use-act.ts'
import { useIsPermitted } from '../../session/account.ts'
import { useModeOf } from '../../shell/mode.ts'
import { modeWords } from '../../shell/mode-words.ts'
import { Secret } from '../secret.tsx'
import { EndpointDeliveries } from './endpoint-deliveries.tsx'
import { EndpointTag } from './endpoint-tag.tsx'
import { type ListedEndpoint, scheduleWords } from './endpoint-words.ts'

const EndpointForm = lazy(() => import('./endpoint-form.tsx'))

const text = words({
  en: {
    title: 'Webhook endpoint',
    all: 'All webhooks',
    missing: 'Endpoint not found',
    missingMore: 'The endpoint may belong to another tenant, or it may have been deleted.',
    edit: 'Edit',
    delete: 'Delete…',
    url: 'URL',
    id: 'Endpoint ID',
    status: 'Status',
    mode: 'Mode',
    description: 'Description',
    events: 'Events',
    allEvents: 'All events',
    schedule: 'Retries',
    secret: 'Signing secret',
    deleteTitle: 'Delete this endpoint?',
    deleteMore:
      'No more events will be sent to this URL, and pending events will be dropped. You cannot undo this. To pause the endpoint, disable it instead.',
    deleteAct: 'Delete endpoint',
    deleted: 'Endpoint deleted',
  },
  id: {
    title: 'Endpoint webhook',
    all: 'Semua webhook',
    missing: 'Endpoint tidak ditemukan',
    missingMore: 'Endpoint ini mungkin milik tenant lain, atau sudah dihapus.',
    edit: 'Ubah',
    delete: 'Hapus…',
    url: 'URL',
    id: 'ID endpoint',
    status: 'Status',
    mode: 'Mode',
    description: 'Keterangan',
    events: 'Event',
    allEvents: 'Semua event',
    schedule: 'Percobaan ulang',
    secret: 'Kunci rahasia webhook',
    deleteTitle: 'Hapus endpoint ini?',
    deleteMore:
      'Event tidak lagi dikirim ke URL ini, dan event yang menunggu dibuang. Tindakan ini tidak dapat dibatalkan. Untuk menjeda endpoint, nonaktifkan saja.',
    deleteAct: 'Hapus endpoint',
    deleted: 'Endpoint dihapus',
  },
})

export function EndpointPage() {
  const t = useWords(text)
  const { endpointId } = useParams({ from: '/inside/webhooks/endpoints/$endpointId' })
  const { data, error, refetch } = useQuery(trpc.webhookEndpoints.list.queryOptions({ mode: 'all' }))
  const endpoint = data?.items.find(({ id }) => id === endpointId)
  useModeOf(endpoint)
  const isDeveloper = useIsPermitted('developer')
  return (
    <Page
      title={t.title}
      description={<TextLink to="/webhooks">{`← ${t.all}`}</TextLink>}
      actions={endpoint && isDeveloper && <Acts of={endpoint} />}
    >
      {endpoint ? (
        <>
          <EndpointFacts of={endpoint} />
          {isDeveloper && <EndpointSecret id={endpointId} />}
          <EndpointDeliveries endpointId={endpointId} />
        </>
      ) : data ? (
        <Panel>
          <Empty title={t.missing}>
            {t.missingMore}
            <ButtonLink to="/webhooks" variant="default">
              {t.all}
            </ButtonLink>
          </Empty>
        </Panel>
      ) : error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <Skeleton height={320} />
      )}
    </Page>
  )
}

function EndpointFacts({ of: endpoint }: { of: ListedEndpoint }) {
  const t = useWords(text)
  const modes = useWords(modeWords)
  const schedules = useWords(scheduleWords)
  const { id, url, mode, description, event_types: types, schedule, enabled } = endpoint
  return (
    <Panel>
      <Facts
        items={[
          [t.url, <Copied key="url" value={url} what={t.url} />],
          [t.status, <EndpointTag key="status" isEnabled={enabled} />],
          [t.mode, modes[mode]],
          [t.description, description],
          [t.events, types.length === 0 ? t.allEvents : types.join(', ')],
          [t.schedule, schedules[schedule]],
          [t.id, <Copied key="id" value={id} what={t.id} />],
        ]}
      />
    </Panel>
  )
}

function EndpointSecret({ id }: { id: string }) {
  const t = useWords(text)
  const queries = useQueryClient()
  // The cache drops the endpoint's signing secret as soon as no component uses it.
  const asked = trpc.webhookEndpoints.get.queryOptions({ endpoint_id: id }, { gcTime: 0 })
  const { data: endpoint } = useQuery(asked)
  const rotate = async (revokePrevious: boolean) => {
    const rotated = await client.webhookEndpoints.rotateSecret.mutate({
      endpoint_id: id,
      revoke_previous: revokePrevious,
    })
    queries.setQueryData(asked.queryKey, shown => shown && rotated)
  }
  return (
    <Panel title={t.secret}>
      {endpoint ? (
        <Secret secret={endpoint.secret} overlapEnd={endpoint.previous_secret_expires_at} rotate={rotate} />
      ) : (
        <Skeleton height={76} />
      )}
    </Panel>
  )
}

function Acts({ of: endpoint }: { of: ListedEndpoint }) {
  const t = useWords(text)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [isEditing, form] = useDisclosure()
  const [isDeleting, deletion] = useDisclosure()
  const deleting = useAct({
    done: t.deleted,
    mutationFn: () => client.webhookEndpoints.delete.mutate({ endpoint_id: endpoint.id }),
    async onSuccess() {
      await navigate({ to: '/webhooks' })
      void queries.invalidateQueries({ queryKey: trpc.webhookEndpoints.list.pathKey() })
    },
  })
  return (
    <Group gap="sm">
      <Button variant="default" leftSection={<IconPencil size={16} />} onClick={form.open}>
        {t.edit}
      </Button>
      <Button variant="default" leftSection={<IconTrash size={16} />} onClick={deletion.open}>
        {t.delete}
      </Button>
      <Suspense>{isEditing && <EndpointForm of={endpoint} close={form.close} />}</Suspense>
      <Confirm
        isOpen={isDeleting}
        isGrave
        close={deletion.close}
        title={t.deleteTitle}
        act={t.deleteAct}
        isActing={deleting.isPending}
        onAct={() => deleting.mutate()}
      >
        {t.deleteMore}
      </Confirm>
    </Group>
  )
}
