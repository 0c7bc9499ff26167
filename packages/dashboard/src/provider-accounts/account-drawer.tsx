import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Copied } from '../parts/copied.tsx'
import { Facts } from '../parts/facts.tsx'
import { ModeTag } from '../parts/mode-tag.tsx'
import { Moment } from '../parts/moment.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { Pending } from '../parts/states.tsx'
import { Tag } from '../parts/tag.tsx'
import { useIsPermitted } from '../session/account.ts'
import type { Account } from './account.ts'
import { EnableButton } from './enable-button.tsx'
import type { Provider } from './providers.ts'

const ChangeForm = lazy(() =>
  import('./change-account-form.tsx').then(({ ChangeAccountForm }) => ({ default: ChangeAccountForm })),
)
const CredentialsForm = lazy(() =>
  import('./credentials-form.tsx').then(({ CredentialsForm }) => ({ default: CredentialsForm })),
)

const text = words({
  en: {
    callback: 'Callback address',
    register: (provider: string) =>
      `Register this address with ${provider} for payment notifications. Otherwise, Gapura learns about paid payments only by checking them at the provider.`,
    mode: 'Mode',
    status: 'Status',
    enabled: 'Enabled: receives new payments',
    disabled: 'Disabled: receives no new payments',
    host: 'Custom host',
    sources: 'Callback source addresses',
    anySource: 'Any',
    inquire: 'Confirm payments above',
    previous: 'Old credentials accepted until',
    id: 'ID',
    created: 'Created',
    updated: 'Last changed',
    change: 'Edit',
    credentials: 'Replace credentials',
  },
  id: {
    callback: 'Alamat callback',
    register: (provider: string) =>
      `Daftarkan alamat ini di ${provider} untuk notifikasi pembayaran. Tanpa itu, Gapura mengetahui pembayaran yang lunas hanya dengan memeriksanya di penyedia.`,
    mode: 'Mode',
    status: 'Status',
    enabled: 'Aktif: menerima pembayaran baru',
    disabled: 'Nonaktif: tidak menerima pembayaran baru',
    host: 'Host khusus',
    sources: 'Alamat sumber callback',
    anySource: 'Semua',
    inquire: 'Konfirmasi pembayaran di atas',
    previous: 'Kredensial lama diterima hingga',
    id: 'ID',
    created: 'Dibuat',
    updated: 'Terakhir diubah',
    change: 'Ubah',
    credentials: 'Ganti kredensial',
  },
})

type Given = { provider: Provider; account: Account | undefined; close: () => void }

export function AccountDrawer({ provider, account, close }: Given) {
  return (
    <Sheet isOpen={account !== undefined} close={close} title={account?.name}>
      {account && <Content key={account.id} provider={provider} account={account} />}
    </Sheet>
  )
}

function Content({ provider, account }: { provider: Provider; account: Account }) {
  const t = useWords(text)
  const { money } = useFormat()
  const isAdmin = useIsPermitted('admin')
  const [form, setForm] = useState<'change' | 'credentials'>()
  const back = () => setForm(undefined)
  if (form)
    return (
      <Suspense fallback={<Pending />}>
        {form === 'change' ? (
          <ChangeForm provider={provider} account={account} back={back} />
        ) : (
          <CredentialsForm provider={provider} account={account} back={back} />
        )}
      </Suspense>
    )
  return (
    <Stack>
      <Stack gap="xs">
        <Title order={2} size="h6">
          {t.callback}
        </Title>
        <Text size="sm" c="dimmed">
          {t.register(provider.name)}
        </Text>
        <Copied value={callbackAddressOf(account)} what={t.callback} isBlock />
      </Stack>
      <Facts
        items={[
          [t.mode, <ModeTag key="mode" mode={account.mode} />],
          [
            t.status,
            <Tag key="status" tone={account.enabled ? 'good' : 'over'}>
              {account.enabled ? t.enabled : t.disabled}
            </Tag>,
          ],
          [t.host, account.base_url],
          [t.sources, account.callback_sources.join(', ') || t.anySource],
          [
            t.inquire,
            provider.callback_proof === 'static_token' &&
              account.callback_sources.length === 0 &&
              account.inquire_above !== null &&
              money(account.inquire_above),
          ],
          [
            t.previous,
            account.previous_credentials.length > 0 && (
              <Stack key="previous" gap={4}>
                {account.previous_credentials.map(({ replaced_at, valid_until }) => (
                  <Moment key={replaced_at} at={valid_until} />
                ))}
              </Stack>
            ),
          ],
          [t.id, <Copied key="id" value={account.id} what={t.id} />],
          [t.created, <Moment key="created" at={account.created_at} />],
          [t.updated, <Moment key="updated" at={account.updated_at} />],
        ]}
      />
      {isAdmin && (
        <Group>
          <Button variant="default" onClick={() => setForm('change')}>
            {t.change}
          </Button>
          <Button variant="default" onClick={() => setForm('credentials')}>
            {t.credentials}
          </Button>
          <EnableButton account={account} />
        </Group>
      )}
    </Stack>
  )
}

const callbackAddressOf = ({ id, provider_code }: Account) =>
  `${window.location.origin}/v1/callbacks/${provider_code}/${id}`
