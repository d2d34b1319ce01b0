package telegram

// Platform is the adapter's name in addresses.
const Platform = "telegram"
