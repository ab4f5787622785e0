{{/* An image with the chart's version, unless it has a tag or a digest of its own. */}}
{{- define "millrace.image" -}}
{{- if regexMatch "[:@][^/]*$" .image -}}{{ .image }}{{- else -}}{{ .image }}:{{ .root.Chart.AppVersion }}{{- end -}}
{{- end }}

{{- define "millrace.claim" -}}
{{ .Values.models.claim | default (printf "%s-models" .Release.Name) }}
{{- end }}

{{/* With millrace.containerSecurity, Pod Security's level "restricted" admits such pods. The image's user; volumes are readable for its group. */}}
{{- define "millrace.podSecurity" -}}
runAsNonRoot: true
runAsUser: 9999
runAsGroup: 9999
fsGroup: 9999
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "millrace.containerSecurity" -}}
allowPrivilegeEscalation: false
capabilities:
  drop: [ALL]
{{- end }}

{{/* A FlinkDeployment and the ConfigMap of its options: name, kind ("train" or "score"), class, job (its values), and root. */}}
{{- define "millrace.job" -}}
{{- $values := .root.Values -}}
{{- $gpu := .job.gpu | default false -}}
{{- $flink := deepCopy $values.flinkConfiguration -}}
{{- $taskManager := .job.taskManager -}}
{{- if $gpu -}}
{{- $taskManager = .job.gpuTaskManager -}}
{{- $flink = merge (deepCopy .job.gpuFlinkConfiguration) $flink -}}
{{- end -}}
apiVersion: flink.apache.org/v1beta1
kind: FlinkDeployment
metadata:
  name: {{ .name }}
spec:
  image: {{ include "millrace.image" (dict "image" $values.images.flink "root" .root) }}
  flinkVersion: v2_3
  # Made by the operator's chart in the namespaces that it watches.
  serviceAccount: flink
  restartNonce: {{ .job.restartNonce }}
  job:
    jarURI: local:///opt/flink/usrlib/millrace-job.jar
    entryClass: {{ .class }}
    args: ["--config", "/opt/millrace/conf/{{ .kind }}.yaml"{{ if $gpu }}, "--model.device", "exclusive"{{ end }}]
    parallelism: {{ .job.parallelism }}
    state: running
    # Each upgrade stops the job with a savepoint, and starts the new one from it.
    upgradeMode: savepoint
    # A savepoint that doesn't fit fails the upgrade: never begin with half a model.
    allowNonRestoredState: false
  jobManager:
    replicas: 1
    resource:
      {{- toYaml .job.jobManager | nindent 6 }}
  taskManager:
    resource:
      {{- toYaml $taskManager | nindent 6 }}
  flinkConfiguration:
    {{- toYaml $flink | nindent 4 }}
  podTemplate:
    spec:
      securityContext:
        {{- include "millrace.podSecurity" .root | nindent 8 }}
      containers:
        # The name that the operator merges into Flink's own container.
        - name: flink-main-container
          securityContext:
            {{- include "millrace.containerSecurity" .root | nindent 12 }}
          {{- with $values.secrets.s3 }}
          env:
            # The S3 file system looks for these two.
            - name: AWS_ACCESS_KEY_ID
              valueFrom:
                secretKeyRef:
                  name: {{ . }}
                  key: access-key
            - name: AWS_SECRET_ACCESS_KEY
              valueFrom:
                secretKeyRef:
                  name: {{ . }}
                  key: secret-key
          {{- end }}
          ports:
            # A pod has one process, so it gets the first port of the range.
            - name: metrics
              containerPort: 9249
          volumeMounts:
            - name: {{ .kind }}
              mountPath: /opt/millrace/conf
              readOnly: true
            {{- if $values.secrets.kafka }}
            - name: kafka
              mountPath: /etc/millrace/kafka
              readOnly: true
            {{- end }}
            - name: models
              mountPath: /opt/millrace/models
            - name: native
              mountPath: /opt/flink/.javacpp
      volumes:
        - name: {{ .kind }}
          configMap:
            name: {{ .root.Release.Name }}-{{ .kind }}
        {{- with $values.secrets.kafka }}
        - name: kafka
          secret:
            secretName: {{ . }}
        {{- end }}
        - name: models
          persistentVolumeClaim:
            claimName: {{ include "millrace.claim" .root }}
        # Where JavaCPP unpacks an engine's native code: up to 400 MB, and with CUDA's more than 1 GB.
        - name: native
          emptyDir:
            sizeLimit: 2Gi
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .root.Release.Name }}-{{ .kind }}
data:
  {{ .kind }}.yaml: |
    {{- .job.config | trimSuffix "\n" | nindent 4 }}
---
# Whoever reaches Flink's ports may run code: TaskManagers and JobManagers trust each other, and the REST interface trusts
# whoever asks. It works where the cluster's network plugin knows NetworkPolicies.
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ .name }}
spec:
  podSelector:
    matchLabels:
      app: {{ .name }}
  policyTypes: [Ingress]
  ingress:
    # The pods of the job among themselves.
    - from:
        - podSelector:
            matchLabels:
              app: {{ .name }}
    # The operator asks Flink's REST interface.
    - from:
        - namespaceSelector:
            matchLabels:
              kubernetes.io/metadata.name: {{ $values.networkPolicy.operatorNamespace }}
          podSelector:
            matchLabels:
              app.kubernetes.io/name: flink-kubernetes-operator
      ports:
        - port: 8081
    # Prometheus reads metrics.
    - from:
        - namespaceSelector:
            matchLabels:
              kubernetes.io/metadata.name: {{ $values.networkPolicy.monitoringNamespace }}
      ports:
        - port: 9249
{{- if $values.podMonitor.enabled }}
---
apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata:
  name: {{ .name }}
  {{- with $values.podMonitor.labels }}
  labels:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  selector:
    matchLabels:
      # Flink gives its pods the name of the FlinkDeployment.
      app: {{ .name }}
      type: flink-native-kubernetes
  podMetricsEndpoints:
    - port: metrics
      interval: 15s
      relabelings:
        # monitoring/prometheus/alerts.yml and the dashboard ask for this name.
        - targetLabel: job
          replacement: flink
{{- end }}
{{- end }}
