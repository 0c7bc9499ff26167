// The first step creates a tenant, and the second step creates the tenant's first user. The second step is optional,
// because users can also be added later.

import { isAbove, type Role, roles, type Tier, tiers } from '@gapura/server/tenant'
import { createTenantInput } from '@gapura/server/tenant-input'
import { Button, Select, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ActRow } from '../parts/act-row.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import { useRetryKey } from '../parts/use-retry-key.ts'
import { useAccount } from '../session/account.ts'
import { NewUserForm } from './new-user-form.tsx'
import { TenantSelect } from './tenant-select.tsx'
import { roleWords, type Tenant, tierWords } from './tenant-words.ts'

const text = words({
  en: {
    title: { owner: 'New tenant', partner: 'New client', client: '' },
    user: (name: string) => `First user of ${name}`,
    why: 'This user can log in and work for the tenant. You can add more users later.',
    name: 'Name',
    nameHint: 'The merchant’s name, for example Toko Budi',
    role: 'Role',
    tier: 'Tier',
    tierHint: 'How many requests per second each of the tenant’s API keys can send',
    parent: 'Partner',
    noPartner: 'No partner',
    create: 'Create',
    later: 'Later',
    open: 'Open',
  },
  id: {
    title: { owner: 'Tenant baru', partner: 'Klien baru', client: '' },
    user: (name: string) => `Pengguna pertama ${name}`,
    why: 'Pengguna ini dapat masuk untuk tenant tersebut. Pengguna lain dapat ditambahkan nanti.',
    name: 'Nama',
    nameHint: 'Nama merchant, misalnya Toko Budi',
    role: 'Peran',
    tier: 'Paket',
    tierHint: 'Jumlah permintaan per detik yang dapat dikirim setiap kunci API tenant',
    parent: 'Mitra',
    noPartner: 'Tanpa mitra',
    create: 'Buat',
    later: 'Nanti saja',
    open: 'Buka',
  },
})

export function NewTenant({ close }: { close: () => void }) {
  const t = useWords(text)
  const { role } = useAccount()
  const navigate = useNavigate()
  const [tenant, setTenant] = useState<Tenant>()
  const [hasUser, setUser] = useState(false)
  const open = ({ id }: Tenant) => void navigate({ to: '/tenants/$tenantId', params: { tenantId: id } })
  return (
    <Dialog isKept={hasUser} onClose={close} title={tenant ? t.user(tenant.name) : t.title[role]}>
      {tenant ? (
        <Stack>
          {!hasUser && (
            <Text size="sm" c="dimmed">
              {t.why}
            </Text>
          )}
          <NewUserForm
            tenantId={tenant.id}
            onCreated={() => setUser(true)}
            aside={
              <Button variant="default" onClick={() => open(tenant)}>
                {t.later}
              </Button>
            }
          />
          {hasUser && <Button onClick={() => open(tenant)}>{t.open}</Button>}
        </Stack>
      ) : (
        <TenantForm onCreated={setTenant} close={close} />
      )}
    </Dialog>
  )
}

function TenantForm({ onCreated, close }: { onCreated: (tenant: Tenant) => void; close: () => void }) {
  const t = useWords(text)
  const roleNames = useWords(roleWords)
  const tierNames = useWords(tierWords)
  const account = useAccount()
  const queries = useQueryClient()
  const retryKey = useRetryKey()
  const isOwner = account.role === 'owner'
  const form = useForm({
    initialValues: {
      name: '',
      role: 'client' as Role,
      tier: 'starter' as Tier,
      parent_id: null as string | null,
    },
    validate: useChecks(createTenantInput),
    transformValues: values => (values.role === 'client' ? values : { ...values, parent_id: null }),
  })
  const create = useAct({
    mutationFn: (wanted: ReturnType<typeof form.getTransformedValues>) =>
      client.tenants.create.mutate(wanted, retryKey(wanted)),
    form,
    onSuccess: tenant => {
      void queries.invalidateQueries({ queryKey: trpc.tenants.list.pathKey() })
      onCreated(tenant)
    },
  })
  return (
    <form onSubmit={form.onSubmit(values => create.mutate(values))} noValidate>
      <Stack>
        <TextInput
          label={t.name}
          required
          description={t.nameHint}
          data-autofocus
          {...form.getInputProps('name')}
        />
        {isOwner && (
          <Select
            label={t.role}
            allowDeselect={false}
            data={roles.filter(role => role !== 'owner').map(value => ({ value, label: roleNames[value] }))}
            {...form.getInputProps('role')}
          />
        )}
        {isOwner && form.values.role === 'client' && (
          <TenantSelect
            among="partner"
            label={t.parent}
            placeholder={t.noPartner}
            {...form.getInputProps('parent_id')}
          />
        )}
        <Select
          label={t.tier}
          description={t.tierHint}
          allowDeselect={false}
          data={tiers
            .filter(tier => isOwner || !isAbove(tier, account.tier))
            .map(value => ({ value, label: tierNames[value] }))}
          {...form.getInputProps('tier')}
        />
        <ActRow back={close} act={t.create} isActing={create.isPending} refusal={create.refusal} />
      </Stack>
    </form>
  )
}
