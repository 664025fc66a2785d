// @ts-check
// Wine 8 cannot connect a socket that was told to stay alive before it was connected, which fetch and npm do. Loaded before everything else.
const { Socket } = require('node:net')
const { setKeepAlive } = Socket.prototype

Socket.prototype.setKeepAlive = function (...args) {
  return this.connecting || this.pending ? this : setKeepAlive.apply(this, args)
}
