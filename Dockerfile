# A static binary and nothing else: no shell, no package manager, no root.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.release=${VERSION}" -o /out/talaria ./gateway \
 && mkdir -p /out/data /out/tmp

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /usr/share/zoneinfo /usr/share/zoneinfo
COPY --from=build --chown=65532:65532 --chmod=700 /out/data /data
COPY --from=build --chown=65532:65532 --chmod=700 /out/tmp /tmp
COPY --from=build /out/talaria /talaria
USER 65532:65532
# From here the defaults name /data and /config.toml. They are not set as
# variables: those would win over what the file says.
WORKDIR /
VOLUME /data
# The web listener stays on loopback; the check runs inside of the container.
HEALTHCHECK --interval=30s --timeout=6s --start-period=10s CMD ["/talaria", "health"]
ENTRYPOINT ["/talaria"]
CMD ["serve"]
