import { createEndpointInput } from '@gapura/server/webhook-endpoint-input'
import { Checkbox, Radio, Stack, Switch, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { client, trpc } from '../../api/trpc.ts'
import { useWords, words } from '../../language/language.tsx'
import { ActRow } from '../../parts/act-row.tsx'
import { ConflictNotice } from '../../parts/conflict-notice.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useAct } from '../../parts/use-act.ts'
import { useChecks } from '../../parts/use-checks.ts'
import { useRetryKey } from '../../parts/use-retry-key.ts'
import { useSettingsForm } from '../../parts/use-settings-form.ts'
import { type Mode, useMode } from '../../shell/mode.ts'
import { type EventType, eventTypes, eventWords } from '../delivery-words.ts'
import { type ListedEndpoint, type Schedule, scheduleWords } from './endpoint-words.ts'

const text = words({
  en: {
    create: 'New endpoint',
    edit: 'Edit endpoint',
    url: 'URL',
    rule: 'The URL must use https and be reachable from the internet.',
    description: 'Description',
    example: 'Accounting system',
    events: 'Events',
    eventsHint: 'If you choose no events, the endpoint receives all events.',
    schedule: 'Retries',
    scheduleHint: 'How often an event is resent if the endpoint does not accept it.',
    enabled: 'Enabled',
    enabledHint:
      'A disabled endpoint receives no new events. Pending events are sent after you enable it again.',
    createAct: 'Create endpoint',
    save: 'Save',
    created: 'Endpoint created',
    saved: 'Saved',
  },
  id: {
    create: 'Endpoint baru',
    edit: 'Ubah endpoint',
    url: 'URL',
    rule: 'URL harus memakai https dan dapat dijangkau dari internet.',
    description: 'Keterangan',
    example: 'Sistem akuntansi',
    events: 'Event',
    eventsHint: 'Jika tidak ada event yang dipilih, endpoint menerima semua event.',
    schedule: 'Percobaan ulang',
    scheduleHint: 'Seberapa sering event dikirim lagi jika endpoint tidak menerimanya.',
    enabled: 'Aktif',
    enabledHint:
      'Endpoint nonaktif tidak menerima event baru. Event yang menunggu dikirim setelah endpoint diaktifkan lagi.',
    createAct: 'Buat endpoint',
    save: 'Simpan',
    created: 'Endpoint dibuat',
    saved: 'Tersimpan',
  },
})

type Values = {
  mode: Mode
  url: string
  description: string
  event_types: EventType[]
  schedule: Schedule
  enabled: boolean
}
type Given = {
  /** The webhook endpoint to change. If undefined, the form creates a new endpoint. */
  of?: ListedEndpoint
  close: () => void
}

const emptyForm = {
  ...{ url: '', description: '', event_types: [] },
  ...{ schedule: 'long' as const, enabled: true },
}

const valuesOf = ({ mode, url, description, event_types, schedule, enabled }: ListedEndpoint): Values => ({
  ...{ mode, url, description, event_types, schedule, enabled },
})

/** The dialog that creates or changes an additional webhook endpoint. */
export default function EndpointForm({ of: endpoint, close }: Given) {
  const t = useWords(text)
  const events = useWords(eventWords)
  const schedules = useWords(scheduleWords)
  const queries = useQueryClient()
  const retryKey = useRetryKey()
  const navigate = useNavigate()
  const [mode] = useMode()
  const form = useSettingsForm<Values>({
    stored: endpoint ? valuesOf(endpoint) : { ...emptyForm, mode },
    validate: useChecks(createEndpointInput),
  })
  const saving = useAct({
    form,
    done: endpoint ? t.saved : t.created,
    // The response is not cached, because it contains the endpoint's signing secret.
    gcTime: 0,
    mutationFn: (values: Values) =>
      endpoint
        ? client.webhookEndpoints.update.mutate({ endpoint_id: endpoint.id, ...form.edits })
        : client.webhookEndpoints.create.mutate(values, retryKey(values)),
    onSuccess({ id }) {
      void queries.invalidateQueries({ queryKey: trpc.webhookEndpoints.pathKey() })
      close()
      // Opens the new endpoint's page, which shows its signing secret.
      if (!endpoint) void navigate({ to: '/webhooks/endpoints/$endpointId', params: { endpointId: id } })
    },
  })
  return (
    <Dialog onClose={close} title={endpoint ? t.edit : t.create}>
      <form onSubmit={form.onSubmit(values => saving.mutate(values))} noValidate>
        <Stack>
          <TextInput
            {...form.getInputProps('url')}
            type="url"
            inputMode="url"
            label={t.url}
            description={t.rule}
            placeholder="https://erp.example.com/hooks/gapura"
            autoComplete="off"
            spellCheck={false}
            required
            data-autofocus
          />
          <TextInput
            {...form.getInputProps('description')}
            label={t.description}
            placeholder={t.example}
            autoComplete="off"
            maxLength={255}
          />
          <Checkbox.Group {...form.getInputProps('event_types')} label={t.events} description={t.eventsHint}>
            <Stack gap="xs" mt="xs">
              {eventTypes.map(type => (
                <Checkbox
                  key={type}
                  value={type}
                  label={<span className="mono">{type}</span>}
                  description={events[type]}
                />
              ))}
            </Stack>
          </Checkbox.Group>
          <Radio.Group {...form.getInputProps('schedule')} label={t.schedule} description={t.scheduleHint}>
            <Stack gap="xs" mt="xs">
              {Object.entries(schedules).map(([value, label]) => (
                <Radio key={value} value={value} label={label} />
              ))}
            </Stack>
          </Radio.Group>
          <Switch
            {...form.getInputProps('enabled', { type: 'checkbox' })}
            label={t.enabled}
            description={t.enabledHint}
          />
          <ConflictNotice form={form} />
          <ActRow
            back={close}
            act={endpoint ? t.save : t.createAct}
            isActing={saving.isPending}
            refusal={saving.refusal}
            isDisabled={endpoint && !form.canSave}
          />
        </Stack>
      </form>
    </Dialog>
  )
}
