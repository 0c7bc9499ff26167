import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  base: '/dashboard/',
  plugins: [react()],
  // The service puts another nonce in its place in each answer (packages/server/src/http/dashboard.ts).
  html: { cspNonce: '__nonce__' },
  build: {
    target: 'baseline-widely-available',
    // light-dark() as it is written: what it would be turned into knows the system's appearance and not the chosen one.
    cssTarget: ['chrome125', 'firefox128', 'safari18'],
    // A picture in the page's text would need a policy that lets one in.
    assetsInlineLimit: 0,
    // What asks for what, for the test of how much a page begins with.
    manifest: true,
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false },
  },
  // `npm run dev` beside a service on its usual port.
  server: { proxy: { '/trpc': 'http://127.0.0.1:8080' } },
})
