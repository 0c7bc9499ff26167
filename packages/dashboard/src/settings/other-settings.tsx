import { Stack, Text } from '@mantine/core'
import { useWords, words } from '../language/language.tsx'
import { TextLink } from '../parts/links.tsx'
import { Panel } from '../parts/panel.tsx'
import { useAccount } from '../session/account.ts'
import { names, navigationOf } from '../shell/navigation.ts'

const text = words({
  en: {
    title: 'More settings',
    security: 'Your password, your second factor and the devices where you are logged in',
    users: 'Who can log in and what they may do',
    methods: 'How your customers can pay',
    webhooks: 'The URLs that receive events from Gapura',
    apiKeys: 'The keys your server uses to call the API',
    limits: 'How many API requests tenants may send',
  },
  id: {
    title: 'Pengaturan lain',
    security: 'Kata sandi, faktor kedua, dan perangkat tempat Anda masuk',
    users: 'Siapa yang dapat masuk dan apa yang boleh dilakukan',
    methods: 'Cara pelanggan Anda dapat membayar',
    webhooks: 'Alamat server Anda yang menerima event dari Gapura',
    apiKeys: 'Kunci yang dipakai server Anda untuk memanggil API',
    limits: 'Berapa banyak permintaan yang boleh dikirim tenant',
  },
})

const listed = ['security', 'users', 'methods', 'webhooks', 'apiKeys', 'limits'] as const

/** Links to the pages where the user can change other settings. */
export function OtherSettings() {
  const t = useWords(text)
  const pageNames = useWords(names)
  const pages = navigationOf(useAccount(), { hasFees: false })
  return (
    <Panel title={t.title}>
      <Stack gap="sm">
        {listed.flatMap(name => {
          const page = pages.find(each => each.name === name)
          if (!page) return []
          return (
            <div key={name}>
              <TextLink to={page.to} fw={600}>
                {pageNames[name]}
              </TextLink>
              <Text size="sm" c="dimmed">
                {t[name]}
              </Text>
            </div>
          )
        })}
      </Stack>
    </Panel>
  )
}
