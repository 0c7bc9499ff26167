// Paper is light, whatever the screen is. The appearance is an attribute of the document, which style sheets cannot change.

import './print.css'

const { dataset } = document.documentElement
let onScreen: string | undefined

window.addEventListener('beforeprint', () => {
  onScreen = dataset.mantineColorScheme
  dataset.mantineColorScheme = 'light'
})
window.addEventListener('afterprint', () => {
  if (onScreen) dataset.mantineColorScheme = onScreen
})
